import { momentOf } from "../protocol/clock.ts";
import {
	amountOf,
	localTime,
	openStatement,
	payerOf,
	type Statement,
} from "./statement.ts";

/** How a message begins: a code and the word for confirmed, in English or Swahili. */
const start =
	/\b([A-Z0-9]{8,12})\s+(?:confirmed|Confirmed|imethibitishwa|Imethibitishwa)\b/g;
/** The longest message that the operator sends is half as long. */
const messageMax = 1_000;
const money = String.raw`(?:ksh|kes|tsh|tzs|ugx|ush)\.?\s*\d[\d,]*(?:\.\d+)?`;
/** The amount that came in: "received Ksh50.00 from", "Ksh50.00 received from", "umepokea Ksh50.00 kutoka". */
const received = new RegExp(
	String.raw`\b(?:received|umepokea)\s+(${money})|(${money})\s+(?:received\s+from|imepokelewa)`,
	"i",
);
const payer =
	/\b(?:from|kutoka(?:\s+kwa)?)\s+(.+?)(?=\s+(?:(?:on|tarehe|mnamo)\s+\d|(?:new|salio)\s)|\.\s|\.?$)/is;
const time =
	/\b(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\s+(?:(?:at|saa)\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*(AM|PM))?/i;

/**
 * Reads M-PESA's messages, in English or Swahili, many of them pasted one after another with whatever stands between them.
 * Messages about money that went out are passed over.
 *
 * @returns undefined if there is no message
 */
export function readMessages(
	text: string,
	timeZone: string,
): Statement | undefined {
	const starts = [...text.matchAll(start)];
	if (starts.length === 0) return undefined;
	const statement = openStatement();
	let line = 1;
	let counted = 0;
	for (const [i, match] of starts.entries()) {
		for (; counted < match.index; counted += 1)
			if (text[counted] === "\n") line += 1;
		const message = text
			.slice(match.index, starts[i + 1]?.index)
			.slice(0, messageMax);
		const [, ...amounts] = received.exec(message) ?? [];
		const amount = amounts.find((found) => found !== undefined);
		if (amount === undefined) statement.passOver();
		else
			statement.add(line, message, {
				code: match[1] ?? "",
				paidAt: timeOf(message, timeZone),
				amount: amountOf(amount),
				payer: payerOf(payer.exec(message)?.[1] ?? ""),
			});
	}
	return statement.end();
}

function timeOf(message: string, timeZone: string): string | undefined {
	const [
		,
		day = "",
		month = "",
		year = "",
		hour = "",
		minute = "",
		second = "00",
		half,
	] = time.exec(message) ?? [];
	const twelve = Number(hour) % 12;
	const hours = !half
		? Number(hour)
		: half.toUpperCase() === "PM"
			? twelve + 12
			: twelve;
	const local = localTime([year, month, day], [hours, minute, second]);
	return local && momentOf(local, timeZone);
}
