import { useUser } from '#features/auth/web/use-account.ts'

export function useWelcome(): string {
  const user = useUser()
  return `Welcome, ${user?.first_name ?? ''}`
}
