import { useFormat } from "../format.ts";
import "./money.css";

/** An amount with its currency. The large sizes shrink to fit the element around them. */
export function Money({
	value,
	size = "text",
	testId,
}: {
	value: number;
	size?: "text" | "total" | "change";
	testId?: string;
}) {
	const { currency, figure } = useFormat();
	const text = figure(value);
	const amount = (
		<span
			className={`money money-${size}`}
			data-testid={testId}
			style={{ "--length": text.length + 2 } as React.CSSProperties}
		>
			<small>
				{currency}
				{"\u00a0"}
			</small>
			{text}
		</span>
	);
	return size === "text" ? amount : <span className="fit grow">{amount}</span>;
}
