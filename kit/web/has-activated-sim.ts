import { createContext, use } from 'react'

export const HasActivatedSimContext = createContext(false)

export const useHasActivatedSim = (): boolean => use(HasActivatedSimContext)

export const anotherActivationLink = { text: 'Activate another SIM', url: '/activate/new/' }
