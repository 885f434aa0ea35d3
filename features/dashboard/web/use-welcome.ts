import { useUser } from '#features/auth/web/use-account.ts'

/** Whose dashboard this is. */
export function useWelcome(): string {
  const user = useUser()
  return `Welcome, ${user?.first_name ?? ''}`
}
