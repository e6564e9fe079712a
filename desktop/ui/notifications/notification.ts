export interface Notification {
	id: string;
	title: string;
	message: string;
	data: Record<string, unknown>;
	read: boolean;
	createdAt: string;
}

export const notificationsKey = ["notifications"];
