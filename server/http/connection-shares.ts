import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isLoopback, networkOf } from "./networks.ts";

export interface ConnectionShares {
	/** All of them; the next one takes the place of one that waits for nothing, or is closed. */
	connections: number;
	/** From one address. A proxy on this machine speaks for many, and may have them all. */
	perAddress: number;
}

/**
 * Keeps room for newcomers: where an address has its share, or the server all that it takes, the connection closed is the
 * one that has been without a request for longest, of the address with the most.
 */
export function shareConnections(
	server: Server,
	{ connections, perAddress }: ConnectionShares,
): void {
	/** By address, the longest without a request first. */
	const socketsByAddress = new Map<string, Set<Socket>>();
	const busy = new Set<Socket>();
	let open = 0;

	function remove(address: string, socket: Socket): void {
		const sockets = socketsByAddress.get(address);
		if (!sockets?.delete(socket)) return;
		open -= 1;
		if (sockets.size === 0) socketsByAddress.delete(address);
	}

	/** Closes one that has no request, or the newcomer where all have. */
	function closeOne(address: string, newcomer: Socket, its: string): void {
		for (const socket of socketsByAddress.get(address) ?? [])
			if (socket !== newcomer && !busy.has(socket)) {
				remove(address, socket);
				socket.destroy();
				return;
			}
		remove(its, newcomer);
		newcomer.destroy();
	}

	function largest(): string {
		let most = "";
		let size = 0;
		for (const [address, sockets] of socketsByAddress)
			if (sockets.size > size) {
				most = address;
				size = sockets.size;
			}
		return most;
	}

	server.on("connection", (socket) => {
		const from = socket.remoteAddress ?? "";
		const address = networkOf(from);
		const sockets = socketsByAddress.get(address) ?? new Set();
		socketsByAddress.set(address, sockets);
		sockets.add(socket);
		open += 1;
		socket.on("close", () => remove(address, socket));
		if (sockets.size > perAddress && !isLoopback(from))
			closeOne(address, socket, address);
		else if (open > connections) closeOne(largest(), socket, address);
	});

	server.on("request", ({ socket }, response) => {
		busy.add(socket);
		response.on("close", () => {
			busy.delete(socket);
			const sockets = socketsByAddress.get(
				networkOf(socket.remoteAddress ?? ""),
			);
			// Used just now: the last one to be closed.
			if (sockets?.delete(socket)) sockets.add(socket);
		});
	});
}
