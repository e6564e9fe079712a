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
import { sessionToken } from "../accounts/authenticator.ts";
import { styleNonce } from "./headers.ts";

/** The build output of the web app (`npm run build`). */
const builtDir = join(import.meta.dirname, "../../desktop/dist");
/** The page's placeholder for the style nonce (desktop/vite.config.ts). */
const nonceMark = "__STYLE_NONCE__";
/** The page's placeholder for where it runs: in a browser, or in a desktop till's window. */
const placeMark = "__PLACE__";
/** The page's placeholder for whether its request brought a session. */
const sessionMark = "__SESSION__";
type Place = "browser" | "till";
/** Paths that the server answers itself; a browser gets the app at all others. */
const ownPaths = /^\/(api|v1|healthz|readyz|metrics|r)(\/|$)/;

const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Counterfoil</title></head>
<body><h1>Counterfoil</h1><p>The server is running. The web app is not built yet: <code>npm run build</code></p></body></html>
`;

/** Serves the web app: its assets cacheable forever, its page built for each request. */
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
		// An asset's name changes with its content.
		express.static(join(dir, "assets"), {
			immutable: true,
			maxAge: "365d",
			fallthrough: true,
			redirect: false,
		}),
	);
	// The page needs this response's nonce; the bare file would be a page without styles.
	app.get("/index.html", (_request, response) => sendPage(response));
	const files = express.static(dir, {
		index: false,
		maxAge: 0,
		redirect: false,
	});
	// API calls skip this, since looking for a file would cost more than a small answer.
	app.use((request, response, next) =>
		ownPaths.test(request.path) ? next() : files(request, response, next),
	);
	app.use((request, response, next) =>
		isVisit(request) ? sendPage(response) : next(),
	);
}

/** Sends a file compressed at build time, if the client accepts the encoding. */
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
		// A browser with the app installed opens its own copy, as it does offline.
		if (page === undefined) response.status(503).send(missingPage);
		else
			response.send(
				page
					.replaceAll(nonceMark, styleNonce(response))
					.replace(placeMark, place)
					.replace(
						sessionMark,
						sessionToken(response.req) === undefined ? "none" : "sent",
					),
			);
	};
}

/** Whether a browser navigates here, as opposed to a program that requests a missing path. */
function isVisit({ method, path, headers }: Request): boolean {
	if (method !== "GET" && method !== "HEAD") return false;
	if (ownPaths.test(path)) return false;
	return (
		path === "/" ||
		path === "/login" ||
		(headers.accept ?? "").includes("text/html")
	);
}

/** Leaves event streams uncompressed, since compression would delay events until a block is full. */
function isWorthwhile(request: Request, response: express.Response): boolean {
	const type = String(response.getHeader("content-type"));
	return (
		!type.startsWith("text/event-stream") &&
		compression.filter(request, response)
	);
}
