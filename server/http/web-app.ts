import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import compression from "compression";
import express, {
	type Express,
	type Request,
	type RequestHandler,
} from "express";
import { compressionLevel } from "../../sync/feed/compressed-rows.ts";
import { styleNonce } from "./headers.ts";

/** Where the web app is built to (`npm run build`). */
const builtDir = join(import.meta.dirname, "../../desktop/dist");
/** Where a page leaves room for what its styles must bear (desktop/vite.config.ts). */
const nonceMark = "__STYLE_NONCE__";
/** Where it is told whose page it is: a browser's, or a till's own window. */
const placeMark = "__PLACE__";
type Place = "browser" | "till";
/** Paths that the server itself answers; every other one that a browser goes to is the app's. */
const ownPaths = /^\/(api|v1|healthz)(\/|$)/;

const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Counterfoil</title></head>
<body><h1>Counterfoil</h1><p>The server is running. The web app is not built yet: <code>npm run build</code></p></body></html>
`;

/** Sends the web app: its files for good, its page anew each time. */
export function serveWebApp(
	app: Express,
	dir = builtDir,
	place: Place = "browser",
): void {
	const sendPage = pageSender(join(dir, "index.html"), place);
	app.use(sendPacked(dir));
	app.use(compression({ filter: isWorthwhile, level: compressionLevel }));
	app.use(
		"/assets",
		// Their names change with what they hold.
		express.static(join(dir, "assets"), {
			immutable: true,
			maxAge: "365d",
			fallthrough: true,
			redirect: false,
		}),
	);
	// It holds what only this answer knows: the file as it is would be a page without styles.
	app.get("/index.html", (_request, response) => sendPage(response));
	const files = express.static(dir, {
		index: false,
		maxAge: 0,
		redirect: false,
	});
	// A look into the folder for each call of the API would cost the most of a small one.
	app.use((request, response, next) =>
		ownPaths.test(request.path) ? next() : files(request, response, next),
	);
	app.use((request, response, next) =>
		isVisit(request) ? sendPage(response) : next(),
	);
}

/** A file that was packed when the app was built is sent so to whoever can unpack it. */
function sendPacked(dir: string): RequestHandler {
	return (request, response, next) => {
		const [, kind] =
			/^\/assets\/[\w.-]+\.(js|css|wasm)$/.exec(request.path) ?? [];
		if (
			kind !== undefined &&
			request.acceptsEncodings("br") &&
			existsSync(join(dir, `${request.path}.br`))
		) {
			response.type(kind).vary("Accept-Encoding");
			response.set("content-encoding", "br");
			request.url = `${request.path}.br`;
		}
		next();
	};
}

function pageSender(file: string, place: Place) {
	return async (response: express.Response): Promise<void> => {
		const page = await readFile(file, "utf8").catch(
			(error: NodeJS.ErrnoException) => {
				if (error.code === "ENOENT") return undefined;
				throw error;
			},
		);
		response.set("Cache-Control", "no-cache").type("html");
		// A browser that holds the app opens its own copy, as it does without a network.
		if (page === undefined) response.status(503).send(missingPage);
		else
			response.send(
				page
					.replaceAll(nonceMark, styleNonce(response))
					.replace(placeMark, place),
			);
	};
}

/** A person with a browser, and not a program that asks for what is not there. */
function isVisit({ method, path, headers }: Request): boolean {
	if (method !== "GET" && method !== "HEAD") return false;
	if (ownPaths.test(path)) return false;
	return (
		path === "/" ||
		path === "/login" ||
		(headers.accept ?? "").includes("text/html")
	);
}

/** Streams are for now, and not for when a block is full. */
function isWorthwhile(request: Request, response: express.Response): boolean {
	const type = String(response.getHeader("content-type"));
	return (
		!type.startsWith("text/event-stream") &&
		compression.filter(request, response)
	);
}
