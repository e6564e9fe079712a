import { encode } from "uqr";

/** The light border that a scanner needs around a QR code, in modules. */
const border = 2;

/** A QR code as a square of modules, each dark or light, with its border. */
export function toModules(text: string): boolean[][] {
	return encode(text, { ecc: "M", border }).data;
}

/** The dark modules of a QR code as an SVG path; its view box is `0 0 size size`. */
export function toQrPath(text: string): { size: number; path: string } {
	const modules = toModules(text);
	const path = modules
		.flatMap((row, y) =>
			row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
		)
		.join("");
	return { size: modules.length, path };
}
