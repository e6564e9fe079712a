// Opens the app offline: caches every file of one build, and the page that all of the app's addresses share.
const cacheName = "counterfoil-__VERSION__";
const files = new Set(__FILES__);
/** Paths that never lead to the app's page. */
const serverPaths = /^\/(api|v1|healthz|readyz|metrics|r)(\/|$)/;
/** A server that doesn't answer within this time counts as unreachable. */
const patienceMs = 4_000;

self.addEventListener("install", (event) => {
	event.waitUntil(
		caches
			.open(cacheName)
			.then((cache) => cache.addAll([...files]))
			.then(() => self.skipWaiting()),
	);
});

self.addEventListener("activate", (event) => {
	event.waitUntil(
		caches
			.keys()
			.then((names) =>
				Promise.all(
					names
						.filter((name) => name !== cacheName)
						.map((name) => caches.delete(name)),
				),
			)
			.then(() => self.clients.claim()),
	);
});

self.addEventListener("fetch", (event) => {
	const { request } = event;
	const url = new URL(request.url);
	if (request.method !== "GET" || url.origin !== location.origin) return;
	if (serverPaths.test(url.pathname)) return;
	if (request.mode === "navigate") event.respondWith(openPage(request));
	else if (files.has(url.pathname)) event.respondWith(openFile(request));
});

/** The server's page, which may be newer; offline, or behind a proxy's error page, the cached one. */
async function openPage(request) {
	const signal = AbortSignal.timeout(patienceMs);
	const answer = await fetch(request, { signal }).catch(() => Response.error());
	if (answer.type !== "error" && answer.status < 500) return answer;
	const held = await caches.match("/index.html");
	return held ?? answer;
}

/** Opened once: a page asks for some twenty files at a time. */
let cache;

async function openFile(request) {
	cache ??= caches.open(cacheName);
	const held = await (await cache).match(request);
	return held ?? fetch(request);
}
