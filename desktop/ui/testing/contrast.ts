/** The contrast of two colours, `#17182b`, `#fff` or `rgb(…)`, by WCAG 2. */
export function contrastOf(a: string, b: string): number {
	const [light = 0, dark = 0] = [a, b]
		.map(luminanceOf)
		.sort((one, other) => other - one);
	return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
	const [red = Number.NaN, green = 0, blue = 0] = partsOf(colour).map(
		(part) => {
			const value = part / 255;
			return value <= 0.04045
				? value / 12.92
				: ((value + 0.055) / 1.055) ** 2.4;
		},
	);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function partsOf(colour: string): number[] {
	if (!colour.startsWith("#"))
		return (colour.match(/[\d.]+/g) ?? []).map(Number);
	const digits = colour.length < 7 ? /[0-9a-f]/g : /[0-9a-f]{2}/g;
	return (colour.match(digits) ?? []).map((hex) =>
		Number.parseInt(hex.padStart(2, hex), 16),
	);
}
