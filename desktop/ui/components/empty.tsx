import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import "./empty.css";

/** What stands where nothing is yet: one sentence, and the next step as a button. */
export function Empty({
	Icon,
	hue = 10,
	title,
	children,
}: {
	Icon: LucideIcon;
	/** Which of the ten category hues its stub has. */
	hue?: number;
	title: string;
	/** A second sentence, and buttons. */
	children?: ReactNode;
}) {
	return (
		<div
			className="empty"
			style={{ "--hue": `var(--hue-${hue})` } as React.CSSProperties}
		>
			<div className="empty-ticket" aria-hidden>
				<span />
				<span>
					<Icon size={24} />
				</span>
			</div>
			<p className="strong" style={{ margin: 0 }}>
				{title}
			</p>
			{children}
		</div>
	);
}
