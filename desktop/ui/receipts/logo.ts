import type { Receipt } from "../../../sync/queries/receipt.ts";

/** Dots on paper: six tenths of the narrowest roll. */
const widthMax = 230;
const heightMax = 190;

/** Puts the logo into a receipt, as a small picture on white: a printer's process can't fetch it. */
export async function withLogo(receipt: Receipt): Promise<Receipt> {
	const { business } = receipt;
	if (business.logoUrl === undefined) return receipt;
	// The receipt matters more than its logo, which may be gone or out of reach.
	const logoUrl = await draw(business.logoUrl).catch(() => undefined);
	return { ...receipt, business: { ...business, logoUrl } };
}

async function draw(url: string): Promise<string> {
	const picture = new Image();
	picture.src = url;
	await picture.decode();
	const { naturalWidth, naturalHeight } = picture;
	const scale = Math.min(1, widthMax / naturalWidth, heightMax / naturalHeight);
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, Math.round(naturalWidth * scale));
	canvas.height = Math.max(1, Math.round(naturalHeight * scale));
	const context = canvas.getContext("2d");
	if (!context) throw new Error("This browser draws no pictures");
	context.fillStyle = "#fff";
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return canvas.toDataURL("image/png");
}
