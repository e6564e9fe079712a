/** A business for tests, also in programs without a test runner. */
export function testBusiness(id: string, name = "Duka") {
	const at = "2026-01-01T00:00:00.000Z";
	return {
		id,
		name,
		currency: "KES",
		timeZone: "Africa/Nairobi",
		cutOffHour: 0,
		receiptHeader: null,
		receiptFooter: null,
		openItems: false,
		cashUnit: null,
		receiptLanguage: null,
		receiptLogoUrl: null,
		createdAt: at,
		updatedAt: at,
	};
}
