import type { ReactNode } from "react";
import "./alert.css";

/** What went wrong, above what it concerns; read out at once if it answers an action. */
export function Alert({
	tone = "danger",
	role,
	children,
}: {
	tone?: "danger" | "plain";
	role?: "alert";
	children: ReactNode;
}) {
	return (
		<div className={`alert alert-${tone}`} role={role}>
			{children}
		</div>
	);
}
