import { AlterPorterCartCommand } from '@drumlin/semaphore/commands';
import { PorterCartHeld, PorterCartOutdated } from '@drumlin/semaphore/faults';

export async function slow(client, id, stamp) {
	try {
		await client.send(new AlterPorterCartCommand({ id, stamp, delay: 6, load: 9 }), { tries: 1 });
	} catch (error) {
		if (error instanceof PorterCartHeld) {
			return { holder: error.holder };
		}
		if (error instanceof PorterCartOutdated) {
			return { newest: error.newest };
		}
		throw error;
	}
	return { ok: true };
}
