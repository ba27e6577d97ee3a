"""The MCP server: the operations of operations.py as tools for agents, over stdio and over HTTP on loopback."""
