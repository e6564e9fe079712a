/** Digits in groups of four are easier to compare with a packet. */
export function grouped(code: string): string {
	return /^\d{8,}$/.test(code) ? code.replace(/(\d{4})(?=\d)/g, "$1 ") : code;
}
