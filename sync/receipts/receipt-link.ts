const hexDigits = 32;
const codeBytes = 32;
/** An id that its maker drew at random: a UUID of version 4 or 7 (RFC 9562). */
const random =
	/^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Hosts that mean the device itself. */
const ownHosts = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|.+\.localhost)$/;

interface ReceiptAddress {
	businessId: string;
	saleId: string;
}

/**
 * The address of a receipt's public page. The ids of a business and of its sale are all that a reader needs,
 * so only random ids have a page.
 *
 * @param server the address of the shop's server, such as `https://shop.example`
 * @returns null if the ids can be guessed, or if the server can't be reached from other devices
 */
export function receiptLink(
	server: string | null | undefined,
	{ businessId, saleId }: ReceiptAddress,
): string | null {
	const url = URL.parse(server ?? "");
	if (!url || !/^https?:$/.test(url.protocol) || ownHosts.test(url.hostname))
		return null;
	if (!random.test(businessId) || !random.test(saleId)) return null;
	return new URL(`/r/${toCode(`${businessId}${saleId}`)}`, url).href;
}

/** Reads the code of a receipt's public page. @returns undefined for anything that `receiptLink` doesn't write */
export function readReceiptCode(code: string): ReceiptAddress | undefined {
	if (!/^[\w-]{43}$/.test(code)) return undefined;
	const bytes = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
	const hex = Array.from(bytes, (byte) =>
		byte.charCodeAt(0).toString(16).padStart(2, "0"),
	).join("");
	if (bytes.length !== codeBytes || toCode(hex) !== code) return undefined;
	const businessId = toUuid(hex.slice(0, hexDigits));
	const saleId = toUuid(hex.slice(hexDigits));
	if (!random.test(businessId) || !random.test(saleId)) return undefined;
	return { businessId, saleId };
}

/** Writes the ids' bytes as base64url: a shorter link makes a QR code that is easier to scan. */
function toCode(ids: string): string {
	const hex = ids.replaceAll("-", "").match(/../g) ?? [];
	const bytes = hex.map((digits) => String.fromCharCode(Number(`0x${digits}`)));
	return btoa(bytes.join(""))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}

function toUuid(hex: string): string {
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
