import { TooLate } from '@drumlin/semaphore/faults';
import { waitUntilCraneHookStill } from '@drumlin/semaphore/waits';

export async function still(client, id) {
	try {
		const hook = await waitUntilCraneHookStill(client, id, { every: 1, most: 1000, orUnknown: true });
		return hook?.stamp;
	} catch (error) {
		if (error instanceof TooLate) {
			return 'late';
		}
		throw error;
	}
}
