import { type Config, loadConfig } from '../config/load.ts';
import type { Role } from '../config/role.ts';

/** The settings; warnings go to standard error. Throws `ConfigError`. */
export function readConfig(role?: Role): Config {
  const { config, warnings } =
    role === undefined ? loadConfig(process.env) : loadConfig(process.env, undefined, role);
  for (const warning of warnings) console.error(warning);
  return config;
}
