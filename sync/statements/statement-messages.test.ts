import { expect, test } from "vitest";
import { readStatement } from "./read-statement.ts";

const zone = "Africa/Nairobi";
const read = (text: string) => readStatement(text, zone);
const at = (time: string) => `2026-06-23T${time}:00.000Z`;

test.each([
	[
		"UFN1A2B3C4 Confirmed. You have received Ksh1,000.00 from JANE WANJIRU 0712345678 on 23/6/26 at 10:00 AM. New M-PESA balance is Ksh5,500.00. Dial *334#",
		"JANE WANJIRU 0712***678",
		at("07:00"),
	],
	[
		"UFN1A2B3C4 Confirmed. on 23/6/26 at 12:30 PM Ksh1,000.00 received from 254712345678 JANE WANJIRU. New Account balance is Ksh5,500.00.",
		"2547***678 JANE WANJIRU",
		at("09:30"),
	],
	[
		"UFN1A2B3C4 Confirmed.You have received Ksh1,000 from KCB BANK 501901 on 23/06/2026 at 12:05 AM New M-PESA balance is Ksh5,500.00.",
		"KCB BANK 501901",
		"2026-06-22T21:05:00.000Z",
	],
	[
		"UFN1A2B3C4 Imethibitishwa. Umepokea Ksh1,000.00 kutoka kwa JANE WANJIRU 0712345678 mnamo 23/6/26 saa 6:00 PM. Salio lako jipya la M-PESA ni Ksh5,500.00.",
		"JANE WANJIRU 0712***678",
		at("15:00"),
	],
	[
		"UFN1A2B3C4D Imethibitishwa, umepokea TSh1,000.00 kutoka 255754***678 - JANE WANJIRU tarehe 23/6/26 saa 18:00:00 Salio lako jipya ni TSh5,500.00",
		"255754***678 - JANE WANJIRU",
		at("15:00"),
	],
])("the message %s is read", (message, payer, paidAt) => {
	const [code = ""] = message.split(" ");
	expect(read(message)).toEqual({
		payments: [{ code, paidAt, amount: 1_000, payer }],
		passedOver: 0,
		refused: [],
	});
});

test("many messages are pasted at once, with what phones write between them", () => {
	const statement =
		read(`[23/6/26, 10:01] MPESA: UFN1A2B3C4 Confirmed. You have received
Ksh70.00 from JANE 0712345678 on 23/6/26 at 10:00 AM. New M-PESA balance is Ksh5,500.00.
[23/6/26, 10:05] MPESA: UFN1A2B3C5 Confirmed. Ksh200.00 sent to JOHN 0711111111 on 23/6/26 at 10:04 AM. New M-PESA balance is Ksh5,300.00.
UFN1A2B3C6 Confirmed. Ksh50.00 paid to WATER COMPANY on 23/6/26 at 10:05 AM.
UFN1A2B3C7 Confirmed. You have received Ksh80.00 from JOHN.
UFN1A2B3C8 Imethibitishwa. Umepokea Ksh90.00 kutoka kwa RENEW SHOP 0722222222 mnamo 23/6/26 saa 11:00 AM.
UFN1A2B3C4 Confirmed. You have received Ksh70.00 from JANE 0712345678 on 23/6/26 at 10:00 AM.
`);
	expect(
		statement?.payments.map(({ code, amount, payer }) => [code, amount, payer]),
	).toEqual([
		["UFN1A2B3C4", 70, "JANE 0712***678"],
		["UFN1A2B3C8", 90, "RENEW SHOP 0722***222"],
	]);
	expect(statement?.passedOver).toBe(3);
	expect(statement?.refused).toEqual([
		{
			...{ line: 5, code: "no_time" },
			text: "UFN1A2B3C7 Confirmed. You have received Ksh80.00 from JOHN.",
		},
	]);
});

test("a message names nobody if it doesn't say who paid", () => {
	expect(
		read("UFN1A2B3C4 Confirmed. You have received Ksh1 on 23/6/26 at 9:00 AM")
			?.payments,
	).toEqual([
		{ code: "UFN1A2B3C4", paidAt: at("06:00"), amount: 1, payer: null },
	]);
});
