import { createContext, use } from 'react'

export const HasActivatedContext = createContext(false)

export const useHasActivated = (): boolean => use(HasActivatedContext)

export const activateAnotherLink = { text: 'Activate another SIM', url: '/activate/new/' }
