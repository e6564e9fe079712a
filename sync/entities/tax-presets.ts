/** A class of a country's tax. In a file without zod, because pages import it. */
interface PresetClass {
	id: string;
	/** Absent where it is called by its kind. */
	name?: string;
	kind: "standard" | "reduced" | "zero" | "exempt";
	rate: number;
	/** What sales are taxed at that are paid by these methods alone. */
	paidBy?: { methods: string[]; rate: number };
}

/** What a country's shops mostly charge. docs/tax.md names the sources; an accountant has to check it. */
export interface TaxPreset {
	classes: readonly PresetClass[];
	/** The class of most goods. */
	taxClass: string;
}

/** The letters are for the shop's own use: no public source gives those of a fiscal device. */
const standard18 = (paidBy?: PresetClass["paidBy"]): TaxPreset => ({
	classes: [
		{
			...{ id: "S", name: "VAT", kind: "standard", rate: 18 },
			...(paidBy && { paidBy }),
		},
		{ id: "Z", kind: "zero", rate: 0 },
		{ id: "E", kind: "exempt", rate: 0 },
	],
	taxClass: "S",
});

/** Presets by country. */
export const taxPresets = {
	/** With the letters of eTIMS. */
	KE: {
		classes: [
			{ id: "A", kind: "exempt", rate: 0 },
			{ id: "B", name: "VAT", kind: "standard", rate: 16 },
			{ id: "C", kind: "zero", rate: 0 },
			{ id: "D", name: "Non-VAT", kind: "exempt", rate: 0 },
			{ id: "E", name: "VAT", kind: "reduced", rate: 8 },
		],
		taxClass: "B",
	},
	/** The mainland's, since September 2025. */
	TZ: standard18({ methods: ["MPESA", "CARD"], rate: 16 }),
	UG: standard18(),
	RW: standard18(),
} satisfies Record<string, TaxPreset>;
export type TaxCountry = keyof typeof taxPresets;
