/**
 * What a line is sold in, or "" for its product's own unit.
 *
 * @example packText({ packName: "Carton", packSize: 24 }, String) === "Carton (24)"
 * @example packText({ packName: "Sack", packSize: 50, unit: "kg" }, String) === "Sack (50 kg)"
 */
export function packText(
	{
		packName,
		packSize,
		unit,
	}: {
		packName?: string | undefined;
		packSize?: number | undefined;
		unit?: string | null | undefined;
	},
	quantity: (size: number) => string,
): string {
	if (packName === undefined || packSize === undefined) return "";
	const size = [quantity(packSize), unit].filter(Boolean).join("\u00a0");
	return `${packName} (${size})`;
}
