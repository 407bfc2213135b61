import { Fault } from '@drumlin/semaphore';
import { ShuntSleeperCommand } from '@drumlin/semaphore/commands';

export async function could(client, id) {
	try {
		const sleeper = await client.send(new ShuntSleeperCommand({ id, region: 'west', withLabels: true }), { drill: true, notes: { why: 'plan' } });
		return sleeper.stamp === 0;
	} catch (error) {
		if (error instanceof Fault && (error.code === 'Held' || error.code === 'Forbidden')) {
			return false;
		}
		throw error;
	}
}
