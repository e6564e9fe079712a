/** The address of the sales that a figure is made of. */
export function salesOf(
	{ from, to }: { from: string; to: string },
	more: { method?: string; product?: string } = {},
): string {
	return `/sales?${new URLSearchParams({ from, to, ...more })}`;
}
