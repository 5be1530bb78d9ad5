import type { Command } from 'commander';
import { numberRules } from '../../server.ts';
import { numberFlag } from './number-flag.ts';

/** Adds the number of threads that serve. */
export function addWorkersFlag(command: Command): Command {
  return command.option(
    '--workers <count>',
    'threads that serve, each with all objects in memory; more than 1 needs Node 22.12 or later on Linux',
    numberFlag(numberRules.workers),
    1,
  );
}
