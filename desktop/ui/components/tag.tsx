import type { ReactNode } from "react";
import "./tag.css";

/** A short word about a thing: square, in sentence case. */
export function Tag({
	tone = "plain",
	children,
}: {
	tone?: "plain" | "money" | "attention" | "danger";
	children: ReactNode;
}) {
	return <span className={`tag tag-${tone}`}>{children}</span>;
}
