/** Exact decimal arithmetic as the contract defines it, independent of the core's code. */

/** Converts a decimal of at most six places to micros. */
export function micros(decimal: number): bigint {
	return BigInt(Math.round(decimal * 1e6));
}

export function decimal(micros: bigint): number {
	return Number(micros) / 1e6;
}

/** Sums `price x quantity` and rounds once, half away from zero. */
export function totalOf(lines: { price: number; quantity: number }[]): bigint {
	const exact = lines.reduce(
		(sum, { price, quantity }) => sum + micros(price) * micros(quantity),
		0n,
	);
	return (exact + 500_000n) / 1_000_000n;
}

export function sum(amounts: bigint[]): bigint {
	return amounts.reduce((total, amount) => total + amount, 0n);
}

/** A moment in the shop's time zone. */
export function localParts(at: string, timeZone: string) {
	const parts = new Intl.DateTimeFormat("en-GB", {
		timeZone,
		dateStyle: "short",
		timeStyle: "short",
		hourCycle: "h23",
	}).formatToParts(new Date(at));
	const part = (type: string) =>
		parts.find((one) => one.type === type)?.value ?? "";
	return {
		day: `${part("year")}-${part("month")}-${part("day")}`,
		hour: Number(part("hour")),
		time: `${part("hour")}:${part("minute")}`,
	};
}

/** The business day of a moment; hours before the cut-off belong to the previous day. */
export function shopDay(
	at: string,
	{ timeZone, cutOffHour }: { timeZone: string; cutOffHour: number },
): string {
	const { day, hour } = localParts(at, timeZone);
	return hour < cutOffHour ? daysAfter(day, -1) : day;
}

export function daysAfter(day: string, days: number): string {
	const ms = Date.parse(`${day}T12:00:00Z`) + days * 86_400_000;
	return new Date(ms).toISOString().slice(0, 10);
}
