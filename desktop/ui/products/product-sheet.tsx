import { type RefObject, useRef, useState } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { Sheet } from "../components/sheet.tsx";
import { useMayManage } from "../session.tsx";
import { Costs } from "../suppliers/costs.tsx";
import { useWords } from "../words/index.ts";
import { Codes } from "./codes.tsx";
import { Packs } from "./packs.tsx";
import { Picture } from "./picture.tsx";
import { ProductForm } from "./product-form.tsx";
import { Stock } from "./stock.tsx";

/** Everything about one product, or a new one. What is typed is kept when the sheet closes. */
export function ProductSheet({
	product,
	start,
	scanRef,
	onClose,
}: {
	product: Product | undefined;
	/** What is known of a new product. */
	start: { code: string; name: string };
	scanRef: RefObject<((code: string) => Promise<void>) | null>;
	onClose(): void;
}) {
	const { say } = useWords();
	const mayManage = useMayManage();
	const [moved, setMoved] = useState(0);
	const addCode = useRef<(code: string) => Promise<boolean>>(null);
	return (
		<Sheet
			title={say(product ? "products.edit" : "products.add")}
			onClose={onClose}
		>
			<ProductForm
				key={product?.id ?? "new"}
				product={product}
				moved={moved}
				start={start}
				scanRef={scanRef}
				addCodeRef={addCode}
				onDone={onClose}
			/>
			{product && mayManage && (
				<Codes key={`codes ${product.id}`} product={product} addRef={addCode} />
			)}
			{product && mayManage && (
				<Packs key={`packs ${product.id}`} product={product} />
			)}
			{product && mayManage && <Picture product={product} />}
			{product && mayManage && <Costs productId={product.id} />}
			{product && mayManage && !product.isService && (
				<Stock
					key={`stock ${product.id}`}
					product={product}
					onMoved={(delta) => setMoved((before) => before + delta)}
				/>
			)}
		</Sheet>
	);
}
