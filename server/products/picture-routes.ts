import * as z from "zod";
import { managing } from "../../sync/entities/entity.ts";
import { productUpdate, productWire } from "../../sync/entities/product.ts";
import { productGet } from "../../sync/queries/product.ts";
import { forgetOldest } from "../accounts/attempt-counter.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { nameOf, picturesInUse, urlOf } from "./pictures/in-use.ts";
import { openPictures, pictureTypes } from "./pictures/pictures.ts";

const pictureMaxBytes = 2_000_000;
/** The most previous pictures to remember. */
const previousMax = 10_000;

/** Routes of product pictures: a large one and a thumbnail, both made by the client. */
export function pictureRoutes({
	shop,
	dataDir,
	picturesMaxBytes,
}: Deps): Routes {
	const pictures = openPictures(dataDir, picturesMaxBytes);
	/** The previous picture by product and kind, kept because an undo may restore it. */
	const previous = new Map<string, string>();

	/** Deletes the picture before the replaced one, unless a product still uses it. */
	async function forget(
		businessId: string,
		key: string,
		replaced: string | undefined,
	): Promise<void> {
		const older = previous.get(key);
		if (replaced === undefined) return;
		previous.delete(key);
		previous.set(key, replaced);
		if (previous.size > previousMax) forgetOldest(previous);
		if (older === undefined || older === replaced) return;
		const inUse = await shop.store.read((tx) => picturesInUse(tx, businessId));
		if (inUse && !inUse.has(older)) await pictures.remove(businessId, older);
	}

	return {
		"/api/products/:id/picture": {
			POST: operation({
				summary:
					"Set a product's picture, or with kind=thumbnail its thumbnail; the body is a JPEG, PNG or WebP of at most 2 MB",
				access: "member",
				roles: managing,
				query: z.object({
					kind: z.enum(["image", "thumbnail"]).default("image"),
				}),
				upload: { types: pictureTypes, maxBytes: pictureMaxBytes },
				answers: { 200: productWire },
				async handle({ caller, id, query: { kind }, bytes, response }) {
					const { businessId } = caller;
					const before = await shop.ask(caller, productGet, { id });
					const name = await pictures.write(businessId, bytes);
					const field = kind === "image" ? "imageUrl" : "thumbnailUrl";
					const set = { [field]: urlOf(name) };
					await shop.mutate(caller, productUpdate, { id, set });
					const key = JSON.stringify([businessId, id, field]);
					await forget(businessId, key, nameOf(before[field]));
					response.json(await shop.ask(caller, productGet, { id }));
				},
			}),
		},

		"/api/pictures/:id": {
			GET: operation({
				summary: "Get a product picture",
				access: "member",
				answers: {
					200: Object.fromEntries(
						pictureTypes.map((type) => [type, z.string()]),
					),
				},
				async handle({ callers, id, response }) {
					for (const { businessId } of callers) {
						const found = await pictures.read(businessId, id);
						if (!found) continue;
						response.set({
							"Content-Type": found.type,
							"Cache-Control": "private, max-age=31536000, immutable",
							// An image that is also valid HTML must not run scripts when opened directly.
							"Content-Security-Policy": "default-src 'none'; sandbox",
						});
						response.send(Buffer.from(found.bytes));
						return;
					}
					throw new HttpError(404, "Picture not found");
				},
			}),
		},
	};
}
