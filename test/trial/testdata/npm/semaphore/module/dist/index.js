import './faults.js';
export { Command, Fault, Semaphore, TooLate } from './client.js';
