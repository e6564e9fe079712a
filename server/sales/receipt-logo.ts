import type { Receipt } from "../../sync/queries/receipt.ts";
import { nameOf } from "../products/pictures/in-use.ts";
import { openPictures } from "../products/pictures/pictures.ts";

/** Puts a shop's logo into its receipts and statements: a customer has no session to fetch the picture with. */
export function openReceiptLogos(dataDir: string) {
	const pictures = openPictures(dataDir);
	return async <Shown extends Pick<Receipt, "business">>(
		businessId: string,
		receipt: Shown,
	): Promise<Shown> => {
		const { business } = receipt;
		const name = nameOf(business.logoUrl);
		if (name === undefined) return receipt;
		const found = await pictures.read(businessId, name);
		const logoUrl =
			found &&
			`data:${found.type};base64,${Buffer.from(found.bytes).toString("base64")}`;
		return { ...receipt, business: { ...business, logoUrl } };
	};
}
