import { useState } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { ApiError } from "../api.ts";
import { messageOf } from "../components/error-message.ts";
import { FileButton } from "../components/file-button.tsx";
import { upload } from "../components/upload.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

/** The longer side of the uploaded pictures, in pixels. */
const sides = { image: 1_000, thumbnail: 160 } as const;

/** A product's picture, shrunk before the upload: a phone's photo would fill the connection and the disk. */
export function Picture({ product }: { product: Product }) {
	const { say } = useWords();
	const { shop } = useShop();
	const [shown, setShown] = useState(product.thumbnailUrl);
	const [problem, setProblem] = useState<string>();
	const [isBusy, setBusy] = useState(false);

	async function take(file: File): Promise<void> {
		setBusy(true);
		setProblem(undefined);
		try {
			const picture = await createImageBitmap(file);
			await send(product.id, "image", await shrink(picture, sides.image));
			const { thumbnailUrl } = await send(
				product.id,
				"thumbnail",
				await shrink(picture, sides.thumbnail),
			);
			setShown(thumbnailUrl);
			await shop.tryNow();
		} catch (error) {
			setProblem(
				error instanceof ApiError
					? messageOf(error)
					: say("products.noPicture"),
			);
		}
		setBusy(false);
	}

	return (
		<>
			{problem && (
				<div className="danger strong" role="alert">
					{problem}
				</div>
			)}
			<div className="row-flex">
				{shown && (
					<img className="product-picture" src={shown} alt={product.name} />
				)}
				<FileButton
					accept="image/png,image/jpeg,image/webp"
					isBusy={isBusy}
					onFile={take}
				>
					{say("products.picture")}
				</FileButton>
			</div>
		</>
	);
}

async function shrink(picture: ImageBitmap, side: number): Promise<Blob> {
	const scale = Math.min(1, side / Math.max(picture.width, picture.height));
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, Math.round(picture.width * scale));
	canvas.height = Math.max(1, Math.round(picture.height * scale));
	canvas
		.getContext("2d")
		?.drawImage(picture, 0, 0, canvas.width, canvas.height);
	return new Promise((resolve, reject) =>
		canvas.toBlob(
			(blob) =>
				blob
					? resolve(blob)
					: reject(new Error("The picture can't be encoded")),
			"image/webp",
			0.85,
		),
	);
}

function send(
	id: string,
	kind: keyof typeof sides,
	blob: Blob,
): Promise<Product> {
	return upload(`/api/products/${id}/picture?kind=${kind}`, blob);
}
