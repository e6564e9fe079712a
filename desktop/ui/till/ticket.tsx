import { memo } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import type { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { glyphOf } from "./glyphs.ts";
import "./ticket.css";

/** Plain elements that render only when their product changes: each key typed replaces dozens of tickets. */
export const Ticket = memo(function Ticket({
	id,
	product,
	hue,
	inCart,
	isActive,
	format,
	onPick,
}: {
	id: string;
	product: Product;
	hue: number;
	/** How many of it the cart has. */
	inCart: number;
	/** The arrow keys are at this ticket. */
	isActive: boolean;
	format: ReturnType<typeof useFormat>;
	onPick(product: Product): void;
}) {
	const { say } = useWords();
	const { name, quantity, lowStock, isService, sellingPrice, unit } = product;
	const Glyph = glyphOf(name);
	return (
		<button
			type="button"
			id={id}
			className="ticket"
			tabIndex={-1}
			data-active={isActive}
			title={
				isService
					? undefined
					: say("till.left", { count: format.quantity(quantity) })
			}
			onMouseDown={keepOffFocus}
			onClick={() => onPick(product)}
		>
			<span
				className="ticket-stub"
				style={{ "--hue": `var(--hue-${hue})` } as React.CSSProperties}
			>
				{product.thumbnailUrl ? (
					<img src={product.thumbnailUrl} alt="" loading="lazy" />
				) : (
					<Glyph size={22} strokeWidth={1.8} aria-hidden />
				)}
			</span>
			<span className="ticket-body">
				<span className="ticket-name">{keepUnits(name)}</span>
				<span className="ticket-foot">
					<span className="ticket-price">
						{sellingPrice === null ? "–" : format.figure(sellingPrice)}
						{unit && <span className="ticket-unit">/{unit}</span>}
					</span>
					{!isService && quantity <= lowStock && (
						<span className="ticket-low">
							{quantity > 0
								? say("till.left", { count: format.quantity(quantity) })
								: say("till.out")}
						</span>
					)}
				</span>
			</span>
			{inCart > 0 && (
				<span className="ticket-count" aria-hidden>
					{format.quantity(inCart)}
				</span>
			)}
		</button>
	);
});

/** Joins numbers and their units, so that "5 kg" isn't broken in two. */
function keepUnits(name: string): string {
	return name.replaceAll(/(\d) (?=(kg|g|l|ml|m|cm|mm|W)\b)/gi, "$1\u00a0");
}

/** Keeps the focus where it is, so that no later Enter can press a tapped ticket. */
function keepOffFocus(event: React.MouseEvent): void {
	event.preventDefault();
	const { activeElement } = document;
	// A line's field commits its value on blur.
	if (activeElement instanceof HTMLElement) activeElement.blur();
}
