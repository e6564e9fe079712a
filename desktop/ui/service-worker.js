// Opens the app without a network: it holds every file of one build, and the page that all addresses of the app share.
const cacheName = "counterfoil-__VERSION__";
const files = new Set(__FILES__);
/** What the server makes is never the app's page. */
const serverPaths = /^\/(api|v1|healthz)(\/|$)/;
/** A server that is there but does not answer is as good as gone. */
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

/** The server's page, which may be newer; without it, or with a proxy's in its place, the one that is held. */
async function openPage(request) {
	const signal = AbortSignal.timeout(patienceMs);
	const answer = await fetch(request, { signal }).catch(() => Response.error());
	if (answer.type !== "error" && answer.status < 500) return answer;
	const held = await caches.match("/index.html");
	return held ?? answer;
}

async function openFile(request) {
	const held = await caches.match(request);
	return held ?? fetch(request);
}
