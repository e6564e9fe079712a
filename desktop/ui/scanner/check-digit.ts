/** Whether the check digit of a 12- or 13-digit code is wrong. Other codes have none that is checked here. */
export function isMisread(code: string): boolean {
	if (!/^\d{12,13}$/.test(code)) return false;
	const digits = [...code.padStart(13, "0")].map(Number);
	const sum = digits.reduce(
		(total, digit, i) => total + digit * (i % 2 === 0 ? 1 : 3),
		0,
	);
	return sum % 10 !== 0;
}
