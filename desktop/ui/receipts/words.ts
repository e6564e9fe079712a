import type { Words } from "../words/index.ts";

export const receiptsWords = {
	"receipt.number": { en: "Receipt", sw: "Risiti" },
	"receipt.total": { en: "Total", sw: "Jumla" },
	"receipt.cashier": { en: "Served by", sw: "Umehudumiwa na" },
	"receipt.refunded": { en: "Refunded", sw: "Imerudishwa" },
	"receipt.whatsapp": { en: "WhatsApp", sw: "WhatsApp" },
} satisfies Words;
