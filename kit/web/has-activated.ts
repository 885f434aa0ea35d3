import { createContext, use } from 'react'

export const HasActivatedContext = createContext(false)

export const useHasActivated = (): boolean => use(HasActivatedContext)

export const anotherSim = { text: 'Activate another SIM', url: '/activate/new/' }
