import { useUser } from '#features/auth/web/use-user.ts'

export function useGreeting(): string {
  const user = useUser()
  return `Welcome, ${user?.first_name ?? ''}`
}
