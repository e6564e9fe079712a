import { PackageSearch } from "lucide-react";
import { useState } from "react";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Mark } from "../components/mark.tsx";
import { Money } from "../components/money.tsx";
import { Panel } from "../components/panel.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import type { CartLine } from "../till/cart.ts";
import { SalePanel } from "../till/sale-panel.tsx";
import { Ticket } from "../till/ticket.tsx";
import { sampleCart, sampleProducts } from "./sample-shop.tsx";

const steps = [
	["change, 150", "money money-change", "256"],
	["total, 46 / 700", "money money-total", "1,284,500"],
	["title, 28 / 680", "", "Brown bread 400 g"],
	["l, 19 / 660", "", "Brown bread 400 g"],
	["m, 16 / 450", "", "Scan the first thing."],
	["s, 14 / 450", "text-s", "65 each"],
	["xs, 12.5 / 560", "text-xs", "4 left"],
] as const;

/** The sizes of text, and amounts in each of theirs. */
export function Type() {
	return (
		<>
			<h1>{steps[2][0]}</h1>
			<h2>{steps[3][0]}</h2>
			{steps.slice(4).map(([name, className, sample]) => (
				<p key={name} className={className} style={{ margin: 0 }}>
					{name}: {sample}
				</p>
			))}
			<p className="muted">Muted</p>
			<p className="attention">Attention</p>
			<p className="danger">Danger</p>
		</>
	);
}

/** Amounts in the three sizes; the large ones shrink to fit. */
export function Amounts() {
	return (
		<>
			<Money value={1_240} />
			{([65, 1_284_500, 149.5] as const).map((value) => (
				<div key={value} style={{ maxWidth: 340 }}>
					<Money value={value} size="total" />
				</div>
			))}
			<Money value={256} size="change" />
		</>
	);
}

/** Tickets in stock, low, out and without a price; one in the cart, one where the arrow keys are. */
export function Tickets() {
	const format = useFormat();
	return (
		<div className="styleguide-columns">
			{sampleProducts.map((product, i) => (
				<Ticket
					key={product.id}
					id={`sample-${product.id}`}
					product={product}
					hue={i + 1}
					inCart={i === 0 ? 2 : 0}
					isActive={i === 1}
					format={format}
					onPick={() => {}}
				/>
			))}
		</div>
	);
}

const products = new Map(
	sampleProducts.map((product) => [product.id, product]),
);

/** A sale with lines in every state, its tools and its stub; cleared or held, an empty one. */
export function Sales() {
	const [openLine, setOpenLine] = useState<string | undefined>("1");
	const [isEmpty, setIsEmpty] = useState(false);
	const nothing = () => {};
	const actions = {
		...{ onChangeLine: nothing, onNote: nothing, onExactCash: nothing },
		onKeep: nothing,
		onClear: () => setIsEmpty(true),
		onHold: () => setIsEmpty(true),
		onHeld: () => setIsEmpty(false),
		onPack: () => {},
		onDiscount: (_?: CartLine) => {},
		...{ onPay: nothing, onUnusualQuantity: nothing },
		onOpenLine: setOpenLine,
	};
	return (
		<div className="styleguide-columns">
			<SalePanel
				cart={isEmpty ? { ...sampleCart, lines: [] } : sampleCart}
				heldCount={isEmpty ? 1 : 0}
				products={products}
				openLine={openLine}
				actions={actions}
				isInSheet={false}
			/>
		</div>
	);
}

/** Everything that is only looked at. */
export function Leaves() {
	return (
		<>
			<div className="styleguide-row">
				<Mark />
				<Tag>plain</Tag>
				<Tag tone="money">money</Tag>
				<Tag tone="attention">attention</Tag>
				<Tag tone="danger">danger</Tag>
				<span className="dot" />
			</div>
			<div className="leaf torn" style={{ padding: "16px 0 24px" }}>
				<p style={{ margin: "0 16px 16px" }}>A leaf, perforated and torn</p>
				<div className="perforation" />
			</div>
			<Panel title="Panel" badge={3}>
				With a badge
			</Panel>
			<LoadError error={new Error("The server answered 500")} />
			<Empty Icon={PackageSearch} hue={7} title="No product found">
				<span className="muted">A second sentence</span>
			</Empty>
		</>
	);
}
