import { expect, test } from "vitest";
import { whatsAppDraft } from "../../../sync/receipts/whatsapp.ts";
import { withLeadingZero } from "./whatsapp-phone.ts";

test.each([
	["722 000 111", "KES", "254722000111"],
	["(722) 000-111", "KES", "254722000111"],
	["0722 000 111", "KES", "254722000111"],
	["(0722) 000 111", "KES", "254722000111"],
	["+254 722 000 111", "KES", "254722000111"],
	["254722000111", "KES", "254722000111"],
	["00254 722 000 111", "KES", "254722000111"],
	["+47 22 00 01 11", "KES", "4722000111"],
	["803 123 4567", "NGN", "2348031234567"],
	["202 555 0123", "USD", "2025550123"],
	["71 234 567", "USD", ""],
	["", "KES", ""],
	["-", "KES", ""],
])(
	"WhatsApp opens for %j in a shop with %s as %j",
	(phone, currency, digits) => {
		const link = whatsAppDraft("x", {
			phone: withLeadingZero(phone, currency),
			currency,
		});
		expect(link).toBe(`https://wa.me/${digits}?text=x`);
	},
);
