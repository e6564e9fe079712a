/** One address of IPv4; of IPv6 the /64, which one subscriber has whole. */
export function networkOf(address: string): string {
	const bare = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
	return bare.includes(":") ? prefixOf(bare, 4) : bare;
}

/** Of IPv6 the /48: whoever rents one has 65,536 networks. Undefined for IPv4. */
export function siteOf(address: string): string | undefined {
	const network = networkOf(address);
	return network.includes(":") ? prefixOf(address, 3) : undefined;
}

function prefixOf(address: string, length: number): string {
	const [head = "", tail] = address.split("::");
	const groups = head.split(":");
	if (tail !== undefined) while (groups.length < length) groups.push("0");
	return `${groups.slice(0, length).join(":")}::/${length * 16}`;
}

/** True for a client on this machine: a person at it, or a proxy. */
export function isLoopback(address = ""): boolean {
	return /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address);
}
