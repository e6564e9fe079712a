/**
 * What a line is sold in, or "" for its product's own unit.
 *
 * @example packText({ packName: "Carton", packSize: 24 }, String) === "Carton (24)"
 */
export function packText(
	{
		packName,
		packSize,
	}: { packName?: string | undefined; packSize?: number | undefined },
	quantity: (size: number) => string,
): string {
	if (packName === undefined || packSize === undefined) return "";
	return `${packName} (${quantity(packSize)})`;
}
