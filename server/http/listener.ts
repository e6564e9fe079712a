import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Express } from "express";
import { type ConnectionLimits, openHttpServer } from "./connections.ts";

/** How long requests in flight may take to end. */
const graceMs = 10_000;
const idleCheckMs = 50;
/** Where a listener is found under the name `localhost`. */
const localHosts = new Set(["localhost", "127.0.0.1", "0.0.0.0", "::", "::1"]);

/** An app that is served at an address. */
export interface Listener {
	url: string;
	port: number;
	/** Closes idle connections at once and the others after their answers, in ten seconds at most. */
	close(): Promise<void>;
}

/** @throws a system error where the address or the port can't be had */
export async function listen(
	app: Express,
	{ host, port }: { host: string; port: number },
	limits: ConnectionLimits,
): Promise<Listener> {
	const server = openHttpServer(app, limits);
	const sockets = new Set<Socket>();
	server.on("connection", (socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
	});
	server.listen(port, host);
	await once(server, "listening");
	const bound = (server.address() as AddressInfo).port;
	return {
		url: urlOf(host, bound),
		port: bound,
		close: () => end(server, sockets),
	};
}

function urlOf(host: string, port: number): string {
	if (localHosts.has(host)) return `http://localhost:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Connections without a request end at once, the others with their answers. */
async function end(
	server: Server,
	sockets: ReadonlySet<Socket>,
): Promise<void> {
	const ended = once(server, "close");
	server.close();
	const closeIdle = () => {
		server.closeIdleConnections();
		// Browsers open some ahead, for requests that they may never make.
		for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
	};
	closeIdle();
	// One that was answered meanwhile would be kept for its next request, seconds long.
	const sweep = setInterval(closeIdle, idleCheckMs);
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	await ended;
	clearInterval(sweep);
	clearTimeout(timer);
	// Those that were cut off are told so a moment after the server is: what they asked for is given up by themselves.
	for (const socket of sockets)
		await new Promise((resolve) => socket.once("close", resolve));
}
