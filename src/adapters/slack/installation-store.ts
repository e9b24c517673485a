/** Where Bolt puts the workspaces in which somebody installed the bot. */
import type { Installation, InstallationStore } from '@slack/bolt';

export interface InstalledTeams {
  readonly put: (team: string, installed: { readonly token: string; readonly name: string }) => Promise<void>;
  readonly remove: (team: string) => Promise<void>;
}

export function installationStore({ put, remove }: InstalledTeams): InstallationStore {
  return {
    async storeInstallation(installation) {
      const { bot, team, enterprise } = installation as Installation;
      const where = team ?? enterprise;
      if (where === undefined || bot === undefined)
        throw new Error('an installation without a workspace or a bot');
      await put(where.id, { token: bot.token, name: where.name ?? where.id });
    },
    /** Asked by nothing that we use of Bolt. */
    fetchInstallation: () => Promise.reject(new Error('installations are read elsewhere')),
    async deleteInstallation({ teamId, enterpriseId }) {
      await remove(teamId ?? enterpriseId ?? '');
    },
  };
}
