import type { ReactNode } from "react";
import { Tag } from "./tag.tsx";
import "./panel.css";

/** A leaf with a title, and with a count if `badge` isn't 0. */
export function Panel({
	title,
	badge = 0,
	aside,
	children,
}: {
	title: string;
	badge?: number;
	/** Beside the title. */
	aside?: ReactNode;
	children: ReactNode;
}) {
	return (
		<section className="leaf panel">
			<div className="panel-head">
				<h2>{title}</h2>
				{badge > 0 && <Tag tone="danger">{badge}</Tag>}
				{aside}
			</div>
			{children}
		</section>
	);
}
