import type { ReceiptBlock, ReceiptDocument } from "./receipt-document.ts";
import { toText } from "./receipt-text.ts";

/** Narrow enough not to wrap on a phone. */
const columns = 32;
/** Longer addresses fail on the way. */
const textMax = 6_000;
/** The countries whose people write their numbers with a leading 0, by currency. */
const callingCodes: Record<string, string> = {
	KES: "254",
	TZS: "255",
	UGX: "256",
	RWF: "250",
	BIF: "257",
	ETB: "251",
	NGN: "234",
	GHS: "233",
	ZAR: "27",
};

interface Recipient {
	/** As people write it, `0722 000 111` or `+254 722 000 111`; without one, WhatsApp asks for the contact. */
	phone?: string | null | undefined;
	/** Of the business, for the country of a number with a leading 0. */
	currency: string;
}

/** A link that opens WhatsApp with the receipt as a draft; a person sends it. */
export function whatsAppLink(
	document: ReceiptDocument,
	{ phone, currency }: Recipient,
): string {
	const whole = encodeURIComponent(messageOf(document, () => true));
	const text =
		whole.length <= textMax
			? whole
			: encodeURIComponent(messageOf(document, ({ kind }) => kind !== "item"));
	return linkTo({ phone, currency }, text);
}

/** A link that opens WhatsApp with a text as a draft. */
export const whatsAppDraft = (text: string, recipient: Recipient) =>
	linkTo(recipient, encodeURIComponent(text));

/** @param text as an address has it */
const linkTo = ({ phone, currency }: Recipient, text: string) =>
	`https://wa.me/${digitsOf(phone ?? "", currency)}?text=${text}`;

/** The receipt in letters of one width, then its link. */
function messageOf(
	{ blocks, ...document }: ReceiptDocument,
	isShown: (block: ReceiptBlock) => boolean,
): string {
	const paper = blocks.filter((block) => block.kind !== "qr" && isShown(block));
	const text = toText({ ...document, blocks: paper }, columns);
	const links = blocks.flatMap((block) =>
		block.kind === "qr" ? [`\n${block.url}`] : [],
	);
	return `\`\`\`\n${text.replaceAll("`", "'")}\`\`\`${links.join("")}`;
}

/** @returns nothing for a number whose country is unknown */
function digitsOf(phone: string, currency: string): string {
	const digits = phone.replace(/\D/g, "").replace(/^00/, "");
	if (!digits.startsWith("0")) return digits;
	const code = callingCodes[currency];
	return code === undefined ? "" : `${code}${digits.slice(1)}`;
}
