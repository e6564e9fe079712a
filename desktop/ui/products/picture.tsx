import { Alert, Button, FileButton, Group, Image, Stack } from "@mantine/core";
import { useState } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { ApiError } from "../api.ts";
import { messageOf } from "../components/error-message.ts";
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

	async function take(file: File | null): Promise<void> {
		if (!file) return;
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
		<Stack mt="md" gap="xs">
			{problem && (
				<Alert color="red" role="alert">
					{problem}
				</Alert>
			)}
			<Group>
				{shown && (
					<Image src={shown} alt={product.name} w={80} h={80} radius="sm" />
				)}
				<FileButton accept="image/png,image/jpeg,image/webp" onChange={take}>
					{(props) => (
						<Button {...props} variant="light" loading={isBusy}>
							{say("products.picture")}
						</Button>
					)}
				</FileButton>
			</Group>
		</Stack>
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
