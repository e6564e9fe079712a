import { networkInterfaces } from "node:os";

/** Hosts that mean all of a machine's addresses. */
export const anyHosts: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Lists this machine's addresses on its local networks. */
export function lanAddresses(): string[] {
	return Object.values(networkInterfaces())
		.flat()
		.flatMap((it) =>
			it?.family === "IPv4" && !it.internal ? [it.address] : [],
		);
}
