import { type Role, roleNames } from '../staff.contract.ts'

export const roleLabel = ({ roles, is_lead = false }: { roles: readonly Role[]; is_lead?: boolean }): string =>
  [...roles.map((role) => roleNames[role]), ...(is_lead ? ['lead'] : [])].join(', ')
