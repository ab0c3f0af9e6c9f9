export const UseScreen = () => <h1>use</h1>
